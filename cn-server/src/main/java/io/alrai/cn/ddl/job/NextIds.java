package io.alrai.cn.ddl.job;

/** Numbers for AUTO_INCREMENT columns, as statements of this CN get them. */
@FunctionalInterface
public interface NextIds {
  /** The next one of a sequence: above all that this CN has given. Blocks; any thread. */
  long of(String sequence);
}
