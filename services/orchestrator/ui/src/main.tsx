/** Where does the page begin? */
import { render } from "preact";
import { App } from "./shell/App";
import "./style/page.css";
import "./style/frame.css";
import "./style/controls.css";
import "./style/ask.css";
import "./style/pipeline.css";
import "./style/answer.css";
import "./style/card.css";
import "./style/flow.css";
import "./style/reading.css";
import "./style/library.css";

const root = document.getElementById("app");
if (root) render(<App />, root);
