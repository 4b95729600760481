"""What is imported on use reports nothing to anybody: onnxruntime would, as soon as it is imported."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
from pathlib import Path

import pytest

pytest.importorskip("onnxruntime", reason="needs the extra onnx")

OPENS = """
import os, sys, time
from pathlib import Path
from byheart.embedding.session import open_graph
from byheart.errors import ModelError
try:
    open_graph(Path(sys.argv[1]), 1)
except ModelError:
    pass
assert "onnxruntime" in sys.modules
print(os.environ["ORT_DISABLE_TELEMETRY"], flush=True)
time.sleep(float(sys.argv[2]))
"""


def test_a_model_is_opened_with_reports_turned_off(tmp_path: Path) -> None:
    (tmp_path / "model.onnx").write_bytes(b"no model")
    environment = {name: value for name, value in os.environ.items() if name != "ORT_DISABLE_TELEMETRY"}
    said = subprocess.run(
        [sys.executable, "-c", OPENS, str(tmp_path / "model.onnx"), "0"],
        env=environment, capture_output=True, text=True, check=True,
    )  # fmt: skip
    assert said.stdout == "1\n"


@pytest.mark.long
def test_nobody_is_called_for_as_long_as_a_report_takes(tmp_path: Path) -> None:
    """Without the switch a connection comes after some nine seconds."""
    (tmp_path / "model.onnx").write_bytes(b"no model")
    with socket.create_server(("127.0.0.1", 0)) as proxy:
        proxy.settimeout(15.0)
        address = f"http://127.0.0.1:{proxy.getsockname()[1]}"
        environment = {name: value for name, value in os.environ.items() if name != "ORT_DISABLE_TELEMETRY"}
        environment |= {"HTTPS_PROXY": address, "https_proxy": address}
        process = subprocess.Popen(
            [sys.executable, "-c", OPENS, str(tmp_path / "model.onnx"), "14"], env=environment, stdout=subprocess.PIPE
        )
        try:
            with pytest.raises(TimeoutError):
                proxy.accept()
        finally:
            process.kill()
            process.communicate()
