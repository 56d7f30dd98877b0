package io.alrai.cn.ddl.rule;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.alrai.cn.ddl.job.TableText;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class LoggedCascadesTest {
  private static Optional<String> acting(String constraint) {
    return LoggedCascades.acting(
        TableText.of(
            "CREATE TABLE `t` (\n  `id` int NOT NULL,\n  PRIMARY KEY (`id`),\n  "
                + constraint
                + "\n) ENGINE=InnoDB"));
  }

  @Test
  void keysThatChangeRows() {
    String key = "CONSTRAINT `f` FOREIGN KEY (`id`) REFERENCES `p` (`x`)";
    assertEquals(Optional.of("f"), acting(key + " ON DELETE CASCADE"));
    assertEquals(Optional.of("f"), acting(key + " ON DELETE RESTRICT ON UPDATE SET NULL"));
    assertEquals(Optional.empty(), acting(key));
    assertEquals(Optional.empty(), acting(key + " ON DELETE RESTRICT"));
    assertEquals(Optional.empty(), acting("CONSTRAINT `c` CHECK ((`id` > 0))"));
  }

  @Test
  void versionsThatLogWhatTheyChange() {
    assertFalse(LoggedCascades.canBeLogged("8.4.6"));
    assertFalse(LoggedCascades.canBeLogged("9.5.0-commercial"));
    assertTrue(LoggedCascades.canBeLogged("9.6.0"));
    assertTrue(LoggedCascades.canBeLogged("9.7.4-2"));
    assertTrue(LoggedCascades.canBeLogged("10.0.1"));
  }
}
