import assert from 'node:assert/strict';
import { tmpdir } from 'node:os';
import { describe, it } from 'node:test';
import { pino } from 'pino';
import { warnOfFileSystem } from './start-warnings.js';

function warned(type?: number): unknown[] {
  const warnings: unknown[] = [];
  const logger = pino(
    { base: null, timestamp: false },
    { write: line => void warnings.push(JSON.parse(line)) },
  );
  const directory = { dataDirectory: tmpdir() };
  warnOfFileSystem(directory, logger, ...(type === undefined ? [] : [() => type]));
  return warnings;
}

describe('a data directory', () => {
  for (const [name, type] of [
    ['NFS', 0x6969],
    ['CIFS', 0xff534d42],
    ['CIFS', 0xff534d42 | 0],
    ['SMB2', 0xfe534d42],
    ['9P', 0x01021997],
    ['FUSE', 0x65735546],
  ] as const) {
    it(`is warned of on ${name} (${type})`, () => {
      const msg =
        'DATA_DIR is on a file system that may be on the network, where SQLite can damage its files: use a local disk';
      assert.deepEqual(warned(type), [{ level: 40, data_dir: tmpdir(), file_system: name, msg }]);
    });
  }

  it('is not warned of on ext4, XFS, Btrfs, tmpfs or overlayfs, nor where this machine has its temporary files', () => {
    for (const type of [0xef53, 0x58465342, 0x9123683e, 0x01021994, 0x794c7630]) {
      assert.deepEqual(warned(type), []);
    }
    assert.deepEqual(warned(), []);
  });
});
