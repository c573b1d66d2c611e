import { requireServers, runProgram, startServer, stopOnSignals } from '#runtime/serve';
import { warnOfSettings } from '#runtime/start-warnings';
import { AppModule } from './app.module.js';

const program = {
  name: 'node dist/apps/projector/src/main.js',
  about: 'Builds the read models. Needs EventStoreDB, MongoDB and Redis. Instances share the work.',
};

await runProgram(program, async (configuration, logger) => {
  requireServers(configuration, 'The projector');
  const server = await startServer(configuration, logger, { projects: true }, AppModule.of);
  warnOfSettings(server, logger);
  stopOnSignals(server, logger);
});
