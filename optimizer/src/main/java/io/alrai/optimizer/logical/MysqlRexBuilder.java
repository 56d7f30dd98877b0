package io.alrai.optimizer.logical;

import java.math.BigDecimal;
import org.apache.calcite.rel.type.RelDataType;
import org.apache.calcite.rel.type.RelDataTypeFactory;
import org.apache.calcite.rex.RexBuilder;
import org.apache.calcite.rex.RexLiteral;
import org.apache.calcite.sql.SqlCollation;
import org.apache.calcite.sql.type.SqlTypeName;
import org.apache.calcite.util.NlsString;

/** Makes literals of exactly the type that is asked for, without casts and padding. */
final class MysqlRexBuilder extends RexBuilder {
  MysqlRexBuilder(RelDataTypeFactory factory) {
    super(factory);
  }

  RexLiteral text(String value, RelDataType type) {
    SqlCollation collation = java.util.Objects.requireNonNull(type.getCollation());
    return makeLiteral(new NlsString(value, "UTF-8", collation), type, SqlTypeName.CHAR);
  }

  RexLiteral number(BigDecimal value, RelDataType type) {
    return makeLiteral(value, type, SqlTypeName.DECIMAL);
  }
}
