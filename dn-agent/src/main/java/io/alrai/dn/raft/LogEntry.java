package io.alrai.dn.raft;

import java.nio.ByteBuffer;

/**
 * A committed entry of a group's log.
 *
 * @param term in which it was written, and by whose leader
 * @param content read-only
 */
public record LogEntry(long term, long index, ByteBuffer content) {}
