package io.alrai.cn.ddl.job;

import io.alrai.common.error.AlraiException;
import io.alrai.common.error.ErrorCode;
import io.alrai.gms.api.Table;

/** Who builds column indexes once the catalog names them, as DDL sees it. Blocking; thread-safe. */
public interface ColumnIndexBuilds {
  /** A CN that keeps none. */
  ColumnIndexBuilds NOBODY =
      new ColumnIndexBuilds() {
        @Override
        public void check(Table table) {
          throw new AlraiException(
              ErrorCode.ER_NOT_SUPPORTED_YET,
              "This CN keeps no column indexes: its configuration says columns.memory.mb = 0, and"
                  + " there is no column node; create it through another CN");
        }

        @Override
        public void await(Table table) {
          check(table);
        }
      };

  /**
   * Whether a table can have a column index.
   *
   * @throws AlraiException ER_NOT_SUPPORTED_YET when not
   */
  void check(Table table);

  /**
   * Waits until the index that the catalog names for the table is built.
   *
   * @throws AlraiException why it could not be
   */
  void await(Table table);
}
