/** A signed key document, as it goes to clients. One an epoch. */
export interface StoredKeyDocument {
  readonly epoch: number;
  /** The whole signed text. */
  readonly document: string;
  readonly createdAt: string;
}

/** `material`: the private key as its owner sealed it (or not); the store only keeps the bytes. */
export interface StoredSigningKey {
  readonly keyId: string;
  /** Base64url of the raw public key. */
  readonly publicKey: string;
  readonly material: Uint8Array;
  readonly createdAt: string;
  readonly notAfter: string;
  /** Signs nothing from here on. */
  readonly retiredAt: string | null;
}

export abstract class KeyStore {
  abstract newestDocument(): Promise<StoredKeyDocument | null>;
  abstract document(epoch: number): Promise<StoredKeyDocument | null>;
  /** False where a document of this or a later epoch is there. */
  abstract addDocument(document: StoredKeyDocument): Promise<boolean>;
  /** False where the id is taken. */
  abstract addSigningKey(key: StoredSigningKey): Promise<boolean>;
  abstract signingKey(keyId: string): Promise<StoredSigningKey | null>;
  /** Oldest first, retired ones too. */
  abstract signingKeys(): Promise<readonly StoredSigningKey[]>;
  /** False where there is none, or it is retired already. The material is overwritten. */
  abstract retireSigningKey(keyId: string, at: string): Promise<boolean>;
}
