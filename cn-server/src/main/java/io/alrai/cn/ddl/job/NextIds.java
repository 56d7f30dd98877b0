package io.alrai.cn.ddl.job;

/** Numbers for AUTO_INCREMENT columns, from the same sequences as for this CN's statements. */
@FunctionalInterface
public interface NextIds {
  /** The next number of a sequence, above all that this CN has given. Blocks; any thread. */
  long of(String sequence);
}
