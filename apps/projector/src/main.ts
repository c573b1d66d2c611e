import { requireServers, runProgram, startServer, stopOnSignals } from '#runtime/serve';
import { AppModule } from './app.module.js';

await runProgram(async (configuration, logger) => {
  requireServers(configuration, 'The projector');
  stopOnSignals(await startServer(configuration, logger, { projects: true }, AppModule.of), logger);
});
