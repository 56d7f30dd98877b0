package io.alrai.cn.protocol;

import io.alrai.common.wire.Capability;

/** What the client and the CN agreed on. */
public record ClientCapabilities(int flags) {
  /**
   * What this server offers. SESSION_TRACK means only that the sentence of an OK packet has its
   * length in front, which mysql2 derives from this flag; no changes of state are sent.
   */
  public static final int OFFERED =
      Capability.LONG_PASSWORD
          | Capability.FOUND_ROWS
          | Capability.LONG_FLAG
          | Capability.CONNECT_WITH_DB
          | Capability.COMPRESS
          | Capability.LOCAL_FILES
          | Capability.IGNORE_SPACE
          | Capability.PROTOCOL_41
          | Capability.INTERACTIVE
          | Capability.TRANSACTIONS
          | Capability.SECURE_CONNECTION
          | Capability.MULTI_STATEMENTS
          | Capability.MULTI_RESULTS
          | Capability.PS_MULTI_RESULTS
          | Capability.PLUGIN_AUTH
          | Capability.CONNECT_ATTRS
          | Capability.PLUGIN_AUTH_LENENC
          | Capability.EXPIRED_PASSWORDS
          | Capability.SESSION_TRACK
          | Capability.DEPRECATE_EOF
          | Capability.ZSTD
          | Capability.QUERY_ATTRIBUTES;

  /** Whether a flag was agreed on. */
  public boolean has(int flag) {
    return (flags & flag) != 0;
  }

  /** Commands may bring attributes: values with names. */
  public boolean queryAttributes() {
    return has(Capability.QUERY_ATTRIBUTES);
  }

  /** No EOF packets; a result ends with an OK packet of header 0xFE. */
  public boolean deprecateEof() {
    return has(Capability.DEPRECATE_EOF);
  }
}
