package io.alrai.optimizer.logical;

import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import org.apache.calcite.sql.type.SqlTypeFactoryImpl;

/** Types over Unicode text. */
final class MysqlTypeFactory extends SqlTypeFactoryImpl {
  MysqlTypeFactory() {
    super(new MysqlTypeSystem());
  }

  @Override
  public Charset getDefaultCharset() {
    return StandardCharsets.UTF_8;
  }
}
