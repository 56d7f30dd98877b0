package io.alrai.cn.process;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;

final class OpenFilesTest {
  @Test
  void someFilesAreForOthersThanClients() {
    assertEquals(512, OpenFiles.mostClients(1_024));
    assertEquals(16, OpenFiles.mostClients(256));
    assertEquals(Integer.MAX_VALUE, OpenFiles.mostClients(Long.MAX_VALUE));
  }
}
