// The thread that writes the documents of the contract suite.
import { packedFields } from '../contract/indexed.contract.js';
import { serveWriter } from './writer-thread.js';

serveWriter(name => (name.startsWith('packed') ? packedFields : undefined));
