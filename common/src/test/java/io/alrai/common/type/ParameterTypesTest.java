package io.alrai.common.type;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertSame;

import org.junit.jupiter.api.Test;

class ParameterTypesTest {
  private static byte[] types(MysqlType... all) {
    byte[] types = new byte[2 * all.length];
    for (int i = 0; i < all.length; i++) {
      types[2 * i] = (byte) all[i].code();
    }
    return types;
  }

  @Test
  void whatAMysqldTellsApart() {
    ParameterTypes types = new ParameterTypes();
    types.follow(types(MysqlType.TINYINT, MysqlType.VARCHAR));
    String first = types.toString();
    types.follow(types(MysqlType.BIGINT, MysqlType.CHAR));
    assertSame(first, types.toString());
    types.follow(types(MysqlType.DOUBLE, MysqlType.CHAR));
    assertNotEquals(first, types.toString());
  }

  @Test
  void nullIsOfTheTypeBefore() {
    ParameterTypes types = new ParameterTypes();
    types.follow(types(MysqlType.NULL));
    String none = types.toString();
    types.follow(types(MysqlType.TIME));
    String time = types.toString();
    assertNotEquals(none, time);
    types.follow(types(MysqlType.NULL));
    assertSame(time, types.toString());
  }

  @Test
  void aSignCounts() {
    ParameterTypes types = new ParameterTypes();
    types.follow(types(MysqlType.BIGINT));
    String signed = types.toString();
    types.follow(new byte[] {(byte) MysqlType.BIGINT.code(), (byte) 0x80});
    assertNotEquals(signed, types.toString());
  }

  @Test
  void aCodeOfNoTypeIsNoError() {
    ParameterTypes types = new ParameterTypes();
    types.follow(new byte[] {100, 0});
    assertEquals(1, types.toString().length());
  }
}
