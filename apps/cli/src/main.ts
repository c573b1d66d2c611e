import { runLedger } from '#runtime/command-line/run-ledger';

await runLedger(async () => {
  // Loaded for this alone, so that no other command waits for a server's modules.
  const [{ readConfiguration }, { runDemo }, { AppModule }] = await Promise.all([
    import('#runtime/configuration'),
    import('#runtime/demo/run-demo'),
    import('./app.module.js'),
  ]);
  await runDemo(readConfiguration(), AppModule.of);
});
