// Asks this container's own server: exit code 0 where it answers 200, else 1 with one line that says why.
// Usage: node docker/health-check.mjs /health/live
const TIMEOUT_MS = 4_000;

const path = process.argv[2] ?? '/health/live';
const url = `http://127.0.0.1:${process.env.PORT ?? '3000'}${path}`;
try {
  const answer = await fetch(url, { signal: AbortSignal.timeout(TIMEOUT_MS) });
  const body = await answer.text();
  if (!answer.ok) {
    console.error(`${path} answered ${answer.status}: ${body}`);
    process.exitCode = 1;
  }
} catch (error) {
  console.error(`${path} did not answer: ${error.message}`);
  process.exitCode = 1;
}
