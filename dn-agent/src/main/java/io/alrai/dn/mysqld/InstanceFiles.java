package io.alrai.dn.mysqld;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;

/**
 * The files of one instance, all below its directory:
 *
 * <pre>
 *   data/           the server's data directory, binary logs included
 *   data.cloning/   see {@link ClonedData}; also data.cloned, data.replaced
 *   files/          the only place for LOAD DATA INFILE and INTO OUTFILE of the server
 *   tmp/            temporary files; emptied at each start
 *   mysqld.sock     or a short path below /tmp when this one is too long for a socket
 *   mysqld.pid
 *   mysqld.err      the server's error log
 *   agent.password  of the accounts alrai and alrai_meta, for the owner only
 *   accounts.sql    only while the server starts: sets that password
 *   zones           which time zones the server's tables have
 *   clock           the mark of the agent's clock
 *   acked           the place in the binary log up to which commits were let through
 *   settled         the transactions in the binary log that recovery need not read
 *   agent.lock      held by the process that runs the server
 * </pre>
 *
 * @param directory absolute
 */
record InstanceFiles(Path directory) {
  /** Longest path of a Unix socket in bytes, without the terminating zero. */
  static final int LONGEST_SOCKET_PATH = 107;

  Path data() {
    return directory.resolve("data");
  }

  Path cloning() {
    return directory.resolve("data.cloning");
  }

  Path cloned() {
    return directory.resolve("data.cloned");
  }

  Path replaced() {
    return directory.resolve("data.replaced");
  }

  Path files() {
    return directory.resolve("files");
  }

  Path tmp() {
    return directory.resolve("tmp");
  }

  Path pid() {
    return directory.resolve("mysqld.pid");
  }

  Path errorLog() {
    return directory.resolve("mysqld.err");
  }

  Path password() {
    return directory.resolve("agent.password");
  }

  Path accounts() {
    return directory.resolve("accounts.sql");
  }

  Path zones() {
    return directory.resolve("zones");
  }

  Path lock() {
    return directory.resolve("agent.lock");
  }

  /** At most {@link #LONGEST_SOCKET_PATH} bytes. */
  Path socket() {
    Path socket = directory.resolve("mysqld.sock");
    if (socket.toString().getBytes(StandardCharsets.UTF_8).length <= LONGEST_SOCKET_PATH) {
      return socket;
    }
    return Path.of("/tmp", "alrai-" + ShortHash.of(directory.toString(), 8), "mysqld.sock");
  }

  /** The socket and its lock file, which a killed server leaves behind. */
  Path socketLock() {
    Path socket = socket();
    return socket.resolveSibling(socket.getFileName() + ".lock");
  }
}
