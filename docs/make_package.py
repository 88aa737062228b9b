"""Build the wheel and the source archive, and check them.

python docs/make_package.py

Both are built twice and must be equal. Each is installed in a clean environment, where
``honeybayes doctor`` must find nothing wrong.
"""

import filecmp
import os
import shutil
import subprocess
import sys
import tempfile
import venv
from pathlib import Path

ROOT = Path(__file__).parents[1]
DIST = ROOT / "dist"
SOURCE_DATE = "1704067200"  # of the files in the archives: equal sources give equal archives


def run(*command: object) -> None:
    """Run a command; end with its exit code if it fails."""
    print("$", *command, flush=True)
    environment = {**os.environ, "SOURCE_DATE_EPOCH": SOURCE_DATE}
    code = subprocess.run([str(part) for part in command], cwd=ROOT, env=environment).returncode
    if code:
        sys.exit(code)


def main() -> None:
    """Build, compare, check and install."""
    shutil.rmtree(DIST, ignore_errors=True)
    with tempfile.TemporaryDirectory() as folder:
        for out in (DIST, folder):
            run(sys.executable, "-m", "build", "--outdir", out, ROOT)
        built = sorted(DIST.iterdir())
        for file in built:
            if not filecmp.cmp(file, Path(folder, file.name), shallow=False):
                sys.exit(f"{file.name}: two builds differ.")
        run(sys.executable, "-m", "twine", "check", "--strict", *built)
        run(Path(sys.executable).with_name("check-wheel-contents"), *DIST.glob("*.whl"))
        for number, file in enumerate(built):
            environment = Path(folder, f"environment-{number}")
            venv.create(environment, with_pip=True)
            programs = environment / ("Scripts" if os.name == "nt" else "bin")
            run(programs / "python", "-m", "pip", "install", "--quiet", file)
            run(programs / "honeybayes", "doctor")
    print("Two builds are equal, and both archives install:", *(file.name for file in built))


if __name__ == "__main__":
    main()
