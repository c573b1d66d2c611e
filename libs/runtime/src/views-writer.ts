// The thread that writes the read models of embedded stores.
import { serveWriter } from '#documents/sqlite/writer-thread';
import { indexedOf } from '#streams/read-models';

serveWriter(indexedOf);
