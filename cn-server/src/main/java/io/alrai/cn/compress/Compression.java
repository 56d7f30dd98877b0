package io.alrai.cn.compress;

import io.alrai.common.error.AlraiException;
import io.alrai.common.error.ErrorCode;
import io.alrai.common.wire.Capability;

/**
 * How the packets of a client's connection are compressed.
 *
 * @param algorithm {@code zlib} or {@code zstd}; empty for none
 * @param level 1 (fast) to 22 (small); 0 for none
 */
public record Compression(String algorithm, int level) {
  /** None. */
  public static final Compression NONE = new Compression("", 0);

  private static final String ZLIB = "zlib";
  private static final String ZSTD = "zstd";

  /** What zlib does when nobody says more; the protocol has no level for it. */
  private static final int ZLIB_LEVEL = 6;

  private static final int MAX_ZSTD_LEVEL = 22;

  /**
   * What a client asks for; zlib where it knows both, as from mysqld.
   *
   * @param capabilities of the client
   * @param zstdLevel only looked at for zstd
   * @throws AlraiException 1043 for a level that there is not
   */
  public static Compression asked(int capabilities, int zstdLevel) {
    if ((capabilities & Capability.COMPRESS) != 0) {
      return new Compression(ZLIB, ZLIB_LEVEL);
    }
    if ((capabilities & Capability.ZSTD) == 0) {
      return NONE;
    }
    if (zstdLevel < 1 || zstdLevel > MAX_ZSTD_LEVEL) {
      throw new AlraiException(
          ErrorCode.ER_HANDSHAKE_ERROR,
          "Bad handshake: zstd has levels from 1 to " + MAX_ZSTD_LEVEL + ", not " + zstdLevel);
    }
    return new Compression(ZSTD, zstdLevel);
  }

  /** Whether there is any. */
  public boolean on() {
    return level > 0;
  }

  BlockCodec codec() {
    return algorithm.equals(ZSTD) ? new ZstdCodec(level) : new ZlibCodec();
  }
}
