"""Is a gRPC service healthy? Exits 0 when it says SERVING: `python -m shared.probe ADDRESS [deadline_s]`."""

import sys

import grpc
from grpc_health.v1 import health_pb2, health_pb2_grpc


def is_serving(address: str, deadline_s: float) -> bool:
    """Whether the service at `address` answers its health check with SERVING within `deadline_s`."""
    with grpc.insecure_channel(address, options=[("grpc.enable_http_proxy", 0)]) as channel:
        stub = health_pb2_grpc.HealthStub(channel)
        try:
            reply = stub.Check(health_pb2.HealthCheckRequest(), timeout=deadline_s, wait_for_ready=True)
        except grpc.RpcError:
            return False
    return bool(reply.status == health_pb2.HealthCheckResponse.SERVING)


if __name__ == "__main__":
    sys.exit(0 if is_serving(sys.argv[1], float(sys.argv[2]) if len(sys.argv) > 2 else 3.0) else 1)
