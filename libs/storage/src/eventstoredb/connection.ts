import { UnavailableError, WrongExpectedVersionError, convertToCommandError } from '@eventstore/db-client';
import shared from '@eventstore/db-client/generated/shared_pb.js';
import { StreamsClient, StreamsService } from '@eventstore/db-client/generated/streams_grpc_pb.js';
import streams from '@eventstore/db-client/generated/streams_pb.js';
import type { Appended } from '../event-store/event-store.js';
import { PatchedClient } from './client-patches.js';
import { positionText, readAnswer } from './read-answers.js';
import { ReadFeed } from './read-feed.js';
import type { ReadReq } from './read-requests.js';

type AppendReq = InstanceType<typeof streams.AppendReq>;
type AppendResp = InstanceType<typeof streams.AppendResp>;

/** An event as it is sent. */
interface ProposedEvent {
  readonly id: string;
  readonly type: string;
  /** JSON in UTF-8. */
  readonly data: Uint8Array;
  /** JSON in UTF-8. */
  readonly metadata: Uint8Array;
}

export interface ExactAppend {
  readonly stream: string;
  /** Null: the stream must not exist. */
  readonly expected: bigint | null;
  readonly events: readonly ProposedEvent[];
}

/**
 * The official client with what it lacks. Appends go by the classic RPC, called here: the batched one has no deadline and
 * shares its pending appends between all clients of the process, and both can end the process with an unhandled
 * rejection. What is read is decoded by `protobufjs`, at a third of the cost, and `$all` can be read with a filter in
 * both directions: servers can, this version's `readAll` cannot ask for it.
 */
export class EventStoreDbConnection extends PatchedClient {
  /** @param deadline milliseconds @throws the client's errors */
  async appendExactly(append: ExactAppend, deadline: number): Promise<Appended> {
    const messages = appendMessages(append);
    const response = await this.execute(
      StreamsClient,
      'append',
      client =>
        new Promise<AppendResp>((resolve, reject) => {
          const sink = client.append(
            ...this.callArguments({ requiresLeader: true, deadline }),
            (error: Error | null, answer?: AppendResp) => {
              if (answer) resolve(answer);
              else reject(convertToCommandError(error ?? new UnavailableError()));
            },
          );
          sink.on('error', reject);
          // What waits to be sent is bounded by the size of an append.
          for (const message of messages) sink.write(message);
          sink.end();
        }),
    );
    return appendAnswer(append, response);
  }

  /** A read, or a subscription, that asks the leader. */
  read(request: ReadReq): ReadFeed {
    const { path, requestSerialize } = StreamsService.read;
    const open = this.GRPCStreamCreator(StreamsClient, 'read', client =>
      client.makeServerStreamRequest(
        path,
        requestSerialize,
        readAnswer,
        request,
        ...this.callArguments({ requiresLeader: true }, { deadline: Infinity }),
      ),
    );
    return new ReadFeed(open());
  }
}

function appendMessages({ stream, expected, events }: ExactAppend): AppendReq[] {
  const identifier = new shared.StreamIdentifier().setStreamName(Buffer.from(stream));
  const options = new streams.AppendReq.Options().setStreamIdentifier(identifier);
  if (expected === null) options.setNoStream(new shared.Empty());
  else options.setRevision(String(expected));
  const proposals = events.map(({ id, type, data, metadata }) => {
    const message = new streams.AppendReq.ProposedMessage()
      .setId(new shared.UUID().setString(id))
      .setData(data)
      .setCustomMetadata(metadata);
    message.getMetadataMap().set('type', type).set('content-type', 'application/json');
    return new streams.AppendReq().setProposedMessage(message);
  });
  return [new streams.AppendReq().setOptions(options), ...proposals];
}

function appendAnswer({ stream, expected }: ExactAppend, response: AppendResp): Appended {
  const wrong = response.getWrongExpectedVersion();
  if (wrong) {
    throw new WrongExpectedVersionError(undefined, {
      streamName: stream,
      expected: expected ?? 'no_stream',
      current: wrong.hasCurrentRevision() ? BigInt(wrong.getCurrentRevision()) : 'no_stream',
    });
  }
  const success = response.getSuccess();
  const position = success?.getPosition();
  if (!success || !position)
    throw new UnavailableError(undefined, 'an append was answered without a position');
  return {
    revision: Number(success.getCurrentRevision()),
    position: positionText(position.getCommitPosition(), position.getPreparePosition()),
  };
}
