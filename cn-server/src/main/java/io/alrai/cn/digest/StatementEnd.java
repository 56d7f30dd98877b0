package io.alrai.cn.digest;

import io.alrai.optimizer.api.text.LexicalMode;

/**
 * What is known of a statement when it ends. One object for each client, written anew for each
 * statement. The client's event loop only.
 */
final class StatementEnd {
  byte[] sql = new byte[0];
  int length;
  LexicalMode mode = LexicalMode.DEFAULT;
  long nanos;
  long startMillis;
  int errno;
  long warnings;
  long affected;
  long sent;
  boolean noIndex;
}
