/** The public half of the key that signs key documents: what clients pin when they are enrolled. */
export abstract class RootKey {
  /** Raw Ed25519 public key, base64url. */
  abstract readonly publicKey: string;
}
