package io.alrai.cn.route;

import io.alrai.common.sql.Sql;
import java.util.List;
import java.util.Optional;

/** Small questions to any mysqld, outside of all sessions and transactions; block. Thread-safe. */
public interface Questions {
  /**
   * The rows of a SELECT; a value is empty for NULL.
   *
   * @throws io.alrai.common.error.AlraiException when no mysqld can be asked, or it refuses
   */
  List<List<Optional<byte[]>>> ask(Sql sql);
}
