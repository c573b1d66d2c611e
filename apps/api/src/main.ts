import { requireServers, runProgram, startServer, stopOnSignals } from '#runtime/serve';
import { AppModule } from './app.module.js';

const program = {
  name: 'node dist/apps/api/src/main.js',
  about: 'Answers requests, on EventStoreDB, MongoDB and Redis; any number of these may run.',
};

await runProgram(program, async (configuration, logger) => {
  requireServers(configuration, 'The API process');
  stopOnSignals(await startServer(configuration, logger, { projects: false }, AppModule.of), logger);
});
