import { runDemo } from '#runtime/demo/run-demo';
import { runProgram, startServer, stopOnSignals } from '#runtime/serve';
import { welcome } from '#runtime/welcome';
import { AppModule } from './app.module.js';

await runProgram(async (configuration, logger) => {
  if (process.argv.includes('--demo')) return runDemo(configuration, AppModule.of);
  const server = await startServer(configuration, logger, { projects: true }, AppModule.of);
  stopOnSignals(server, logger);
  welcome(server, configuration);
});
