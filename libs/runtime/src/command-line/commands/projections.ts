import { Command } from 'commander';
import type { Terminal } from '../output/terminal.js';
import { giveUpCommand, rebuildCommand } from './projections-rebuild.js';
import { statusCommand } from './projections-status.js';
import { verifyCommand } from './projections-verify.js';

export function projectionsCommand(terminal: Terminal): Command {
  return new Command('projections')
    .summary('manage the read models')
    .description('Manages the read models: the data that the API serves, computed from the events.')
    .addCommand(statusCommand(terminal))
    .addCommand(verifyCommand(terminal))
    .addCommand(rebuildCommand(terminal))
    .addCommand(giveUpCommand(terminal));
}
