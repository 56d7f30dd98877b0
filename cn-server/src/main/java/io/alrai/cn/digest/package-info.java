/**
 * What statements of clients cost. An event loop counts the statements of its clients when they
 * end, by their shapes ({@link io.alrai.cn.digest.DigestTable}, no locks). Whoever looks asks each
 * loop for copies, has a mysqld name the shapes with its own digests, and adds up what has the same
 * digest ({@link io.alrai.cn.digest.StatementDigests}). What comes out are rows of
 * performance_schema.
 */
@NullMarked
package io.alrai.cn.digest;

import org.jspecify.annotations.NullMarked;
