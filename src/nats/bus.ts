// What the rest of the program sees of a NATS server: buckets of keys, streams, questions, and large objects. It has
// never heard of a host or an agent.
//
// - A call that the server did not answer in time throws `NatsError`. It may have been carried out.
// - Values are bytes; whoever reads them checks their form.

import { HiveError } from "../base/errors.js";

/** The server could not be reached, or refused. */
export class NatsError extends HiveError {
  override name = "NatsError";
}

export interface Bus {
  /** The version of the server, `2.9.10`. Before 2.11 a server ignores an expiry per key without a word. */
  serverVersion: string;
  /** False while the connection is lost; the client tries to connect again for ever. */
  isConnected(): boolean;
  /** Runs on every loss and return of the connection. */
  onConnected(listener: (isConnected: boolean) => void): void;
  /** The time of a round trip to the server, in milliseconds. */
  roundTrip(): Promise<number>;

  /** Creates what is missing, and leaves what is there as it is. */
  make(wanted: {
    buckets?: readonly BucketForm[];
    streams?: readonly StreamForm[];
    objects?: readonly ObjectsForm[];
  }): Promise<void>;

  /** What the server has of these: a stream, `KV_` and a bucket, or `OBJ_` and objects. Null if it is missing. */
  streamFacts(name: string): Promise<StreamFacts | null>;

  bucket(name: string): Promise<Bucket>;

  /** Appends to the stream that has this subject. The same `id` within two minutes is stored once. */
  append(subject: string, bytes: Uint8Array, options?: AppendOptions): Promise<Appended>;
  /** A durable consumer: each message comes until it is done; after a lost connection or a kill it may come again. */
  consume(
    stream: string,
    consumer: string,
    subject: string,
    take: (message: Taken) => Promise<void>,
  ): Promise<Subscription>;
  /** All messages that the stream has now, oldest first, or those from this sequence on. */
  read(stream: string, subject: string, fromSequence?: number): AsyncIterable<Stored>;
  /** The newest message of exactly this subject; null if there is none. */
  last(stream: string, subject: string): Promise<Stored | null>;
  /** Every message from now on, without a consumer that the server keeps. */
  follow(stream: string, subject: string, take: (message: Stored) => void): Promise<Subscription>;

  /** Asks whoever answers this subject. The pieces of the answer, in order; it ends with an empty piece. */
  ask(subject: string, bytes: Uint8Array, options: AskOptions): AsyncIterable<Uint8Array>;
  /** Answers questions. `answer` yields the pieces; none may exceed `limits.natsPieceBytes`. */
  answer(subject: string, answer: (question: Question) => AsyncIterable<Uint8Array>): Subscription;

  objects(name: string): Promise<Objects>;

  /** Waits for what is under way, and closes. */
  close(): Promise<void>;
}

export interface StreamFacts {
  replicas: number;
  messages: number;
  sizeBytes: number;
  /** Messages before this one are gone. */
  firstSequence: number;
}

export interface BucketForm {
  name: string;
  /** Keys vanish this long after their last write. Readers compute the age themselves. */
  ttlMs?: number;
  replicas: number;
}

export interface StreamForm {
  name: string;
  subjects: readonly string[];
  /** `work`: a message is gone once its consumer has done it. `log`: messages stay until a bound is reached. */
  keeps: "work" | "log";
  maxBytes: number;
  maxAgeMs: number;
  /** At most this many messages per subject; the oldest go. */
  maxPerSubject?: number;
  replicas: number;
}

export interface ObjectsForm {
  name: string;
  ttlMs: number;
  maxBytes: number;
  replicas: number;
}

export interface Entry {
  key: string;
  value: Uint8Array;
  /** Grows with every write to the bucket: a fencing token. */
  revision: number;
  /** By the clock of the server. */
  writtenAtMs: number;
}

export interface Bucket {
  /** Null for a key that is absent, deleted or expired. */
  get(key: string): Promise<Entry | null>;
  /** All entries whose keys match; `*` is one word of a key, `>` the rest. */
  all(filter?: string): Promise<Entry[]>;
  put(key: string, value: Uint8Array): Promise<number>;
  /** Null if the key is there. */
  create(key: string, value: Uint8Array): Promise<number | null>;
  /** Null if the key has another revision by now. */
  update(key: string, value: Uint8Array, revision: number): Promise<number | null>;
  /** Removes the key; with a revision only that one. False if it has another revision by now. */
  remove(key: string, revision?: number): Promise<boolean>;
  /** All present entries, then every change. A removed key has no value. Expired keys may vanish without a word. */
  watch(filter: string, take: (change: Change) => void): Promise<Subscription>;
}

export interface Change {
  key: string;
  entry: Entry | null;
}

export interface AppendOptions {
  id?: string;
  headers?: Readonly<Record<string, string>>;
}

export interface Appended {
  sequence: number;
  isDuplicate: boolean;
}

export interface Stored {
  subject: string;
  bytes: Uint8Array;
  sequence: number;
  /** By the clock of the server. */
  storedAtMs: number;
  header(name: string): string | null;
}

/** Done when `take` resolves; if it rejects, the message comes again after a while. */
export interface Taken extends Stored {
  /** 1 at the first delivery. */
  deliveries: number;
  /** Tells the server that the work goes on, so that the message does not come again meanwhile. */
  goesOn(): void;
}

export interface AskOptions {
  /** Give up if nothing comes for this long. */
  silenceMs: number;
  interrupted?: AbortSignal;
}

export interface Question {
  subject: string;
  bytes: Uint8Array;
}

export interface Subscription {
  stop(): Promise<void>;
}

export interface Objects {
  put(name: string, bytes: AsyncIterable<Uint8Array>): Promise<void>;
  /** Null if there is no such object. The digest is checked at the end. */
  get(name: string): Promise<AsyncIterable<Uint8Array> | null>;
  list(): Promise<{ name: string; sizeBytes: number; writtenAtMs: number }[]>;
  remove(name: string): Promise<void>;
}

/** How to reach a server. */
export interface BusAddress {
  /** One or several nodes: `nats://127.0.0.1:4222`. `tls://` needs TLS. */
  servers: readonly string[];
  user?: { name: string; password: string };
  /** The contents of a NATS `.creds` file. */
  credentials?: Uint8Array;
  /** Certificates to trust beside those of the system, in PEM. */
  authorities?: string;
  /** The server must have exactly this certificate: SHA-256, hexadecimal. */
  fingerprint?: string;
  /** What the server shows about this connection. */
  name: string;
  /** Answers come to subjects below this one, so that a server can keep others from reading them. */
  inboxPrefix: string;
}
