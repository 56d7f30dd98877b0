package io.alrai.cn.route;

import java.util.List;
import java.util.Optional;

/** Small questions to any mysqld, outside of all sessions and transactions; block. Thread-safe. */
public interface Questions {
  /**
   * The rows of a SELECT; a value is empty for NULL.
   *
   * @param sql in UTF-8
   * @throws io.alrai.common.error.AlraiException when no mysqld can be asked, or it refuses
   */
  List<List<Optional<byte[]>>> ask(String sql);
}
