// The NATS client library. A file of its own in the package: only what talks to a server loads it.

export {
  AckPolicy,
  DeliverPolicy,
  DiscardPolicy,
  jetstream,
  jetstreamManager,
  RetentionPolicy,
} from "@nats-io/jetstream";
export { Kvm } from "@nats-io/kv";
export { Objm } from "@nats-io/obj";
export {
  connect,
  createInbox,
  credsAuthenticator,
  headers,
  usernamePasswordAuthenticator,
} from "@nats-io/transport-node";
