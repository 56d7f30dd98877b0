package io.alrai.cn.digest;

/**
 * What was counted of one digest in one schema.
 *
 * @param hash the digest; empty for statements that have no room of their own
 * @param text the statement without its values
 * @param counts of all event loops
 */
record DigestRow(String hash, String text, ShapeCount counts) {}
