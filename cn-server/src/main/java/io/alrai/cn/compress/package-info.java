/** Compression of clients' connections: what was agreed on, the frames, zlib and zstd. */
@NullMarked
package io.alrai.cn.compress;

import org.jspecify.annotations.NullMarked;
