import { runDemo } from '#runtime/demo/run-demo';
import { runProgram, startServer, stopOnSignals, welcome } from '#runtime/serve';
import { warnOfSettings } from '#runtime/start-warnings';
import { AppModule } from './app.module.js';

const program = {
  name: 'npm start --',
  about: 'Runs the whole service in one process, on embedded stores in DATA_DIR unless servers are set.',
  hasDemo: true,
};

await runProgram(program, async (configuration, logger, { demo }) => {
  if (demo) return runDemo(configuration, AppModule.of);
  const server = await startServer(configuration, logger, { projects: true, answersApi: true }, AppModule.of);
  warnOfSettings(server, logger);
  stopOnSignals(server, logger);
  welcome(server, configuration);
});
