// Compresses files of the web app once, so that the server need not do it for each answer.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';

/** What is shorter is hardly made shorter, in bytes. */
const BYTES_MIN = 1_024;
const COMPRESSIBLE = /\.(?:js|css|svg|json|webmanifest|txt)$/;

/** Puts a `.br` and a `.gz` beside every file below a folder that gets shorter by it. */
export function compressFilesBelow(folder) {
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile() || !COMPRESSIBLE.test(entry.name)) continue;
    const file = join(entry.parentPath, entry.name);
    const content = readFileSync(file);
    if (content.length < BYTES_MIN) continue;
    writeFileSync(`${file}.gz`, gzipSync(content, { level: 9 }));
    const params = { [constants.BROTLI_PARAM_SIZE_HINT]: content.length };
    writeFileSync(`${file}.br`, brotliCompressSync(content, { params }));
  }
}
