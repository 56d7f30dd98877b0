package io.alrai.dn.raft;

import io.alrai.dn.binlog.Gtid;

/**
 * A transaction as a mysqld has it.
 *
 * @param value what it wrote; no two write the same
 */
record VoterRow(Gtid gtid, long value) {}
