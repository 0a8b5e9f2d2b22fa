FROM python:3.13-slim AS builder
WORKDIR /build
COPY requirements/run.txt ./
RUN python -m venv /venv \
    && /venv/bin/pip install --no-cache-dir --disable-pip-version-check --only-binary :all: \
        --require-hashes --requirement run.txt

FROM python:3.13-slim
RUN useradd --uid 10001 --user-group --no-create-home --home-dir /nonexistent --shell /usr/sbin/nologin lastlap \
    && install --directory --owner lastlap --group lastlap --mode 0750 /data
WORKDIR /app
COPY --from=builder /venv /venv
COPY LICENSE pyproject.toml ./
COPY engine engine
COPY migrations migrations
COPY bot bot
ENV PATH="/venv/bin:${PATH}" \
    PYTHONUNBUFFERED=1 \
    DATABASE_URL="sqlite+aiosqlite:////data/lastlap.db" \
    LOG_FORMAT="json"
RUN chmod -R a+rX . && python -m compileall -q bot engine migrations

USER lastlap
VOLUME ["/data"]
STOPSIGNAL SIGTERM
# `health` says what /healthz says: over METRICS_PORT where it is set, else from a file beside the database.
HEALTHCHECK --interval=30s --timeout=10s --start-period=60s --retries=3 CMD ["python", "-m", "bot", "health"]
CMD ["python", "-m", "bot"]
