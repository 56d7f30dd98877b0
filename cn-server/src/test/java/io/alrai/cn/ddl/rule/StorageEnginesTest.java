package io.alrai.cn.ddl.rule;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;

import io.alrai.cn.ddl.job.DdlSession;
import io.alrai.common.error.AlraiException;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class StorageEnginesTest {
  private static final DdlSession KEEPS = session(Map.of());
  private static final DdlSession REPLACES = session(Map.of("sql_mode", "''"));

  private static DdlSession session(Map<String, String> settings) {
    return new DdlSession("s", settings, "root", "%", Set.of());
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '~',
      value = {
        "(a INT) ENGINE=MyISAM|(a INT) ENGINE=InnoDB|MyISAM",
        "(a INT) engine heap COMMENT 'ENGINE=CSV'|(a INT) engine InnoDB COMMENT 'ENGINE=CSV'|MEMORY",
        "(engine INT, KEY engine (engine)) /*!40100 ENGINE='Merge' */"
            + "|(engine INT, KEY engine (engine)) /*!40100 ENGINE=InnoDB */|MRG_MYISAM",
        "COMMENT 'é' ENGINE = `csv` CHECKSUM=1|COMMENT 'é' ENGINE = InnoDB CHECKSUM=1|CSV",
      })
  void othersAreReplaced(String text, String allowed, String replaced) {
    StorageEngines.Allowed expected = new StorageEngines.Allowed(allowed, Optional.of(replaced));
    assertEquals(expected, StorageEngines.in(text, REPLACES));
    if (Set.of("MyISAM", "MEMORY").contains(replaced)) {
      assertEquals(expected, StorageEngines.in(text, KEEPS));
    } else {
      assertEquals(
          3161, assertThrows(AlraiException.class, () -> StorageEngines.in(text, KEEPS)).errno());
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "(a INT) ENGINE=InnoDB",
        "(a INT) ENGINE=nope",
        "ADD COLUMN engine INT",
        "(a INT) ENGINE",
        "(a INT) COMMENT='ENGINE=MyISAM'",
        ""
      })
  void allElseStays(String text) {
    assertEquals(
        new StorageEngines.Allowed(text, Optional.empty()), StorageEngines.in(text, KEEPS));
  }

  @Test
  void modesThatKeepEngines() {
    for (String mode : new String[] {"'TRADITIONAL'", "'ANSI,no_engine_substitution'"}) {
      assertSame(true, session(Map.of("sql_mode", mode)).keepsEngines());
    }
    assertSame(false, session(Map.of("sql_mode", "'ANSI'")).keepsEngines());
  }
}
