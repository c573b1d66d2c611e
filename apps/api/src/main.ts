import { requireServers, runProgram, startServer, stopOnSignals } from '#runtime/serve';
import { warnOfSettings } from '#runtime/start-warnings';
import { AppModule } from './app.module.js';

const program = {
  name: 'node dist/apps/api/src/main.js',
  about: 'Serves the API. Needs EventStoreDB, MongoDB and Redis. Run as many instances as you like.',
};

await runProgram(program, async (configuration, logger) => {
  requireServers(configuration, 'The API process');
  const server = await startServer(
    configuration,
    logger,
    { projects: false, answersApi: true },
    AppModule.of,
  );
  warnOfSettings(server, logger);
  stopOnSignals(server, logger);
});
