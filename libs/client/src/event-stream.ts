/** One block of a stream of server-sent events. */
interface ServerSentEvent {
  readonly id?: string;
  /** Absent where the block moves the position alone, which parsers that follow the standard do not tell of. */
  readonly data?: string;
}

/** Takes a stream of server-sent events apart, as its texts arrive. @returns the blocks that a text completes */
export function eventStreamParser(): (text: string) => ServerSentEvent[] {
  let rest = '';
  return text => {
    const blocks = (rest + text).replaceAll('\r\n', '\n').split('\n\n');
    rest = blocks.pop()!;
    return blocks.map(readBlock);
  };
}

function readBlock(block: string): ServerSentEvent {
  const fields = new Map<string, string>();
  for (const line of block.split('\n')) {
    const [, name = '', value = ''] = /^(\w+): ?(.*)$/.exec(line) ?? [];
    const before = fields.get(name);
    fields.set(name, before === undefined ? value : `${before}\n${value}`);
  }
  const [id, data] = [fields.get('id'), fields.get('data')];
  return { ...(id !== undefined && { id }), ...(data !== undefined && { data }) };
}
