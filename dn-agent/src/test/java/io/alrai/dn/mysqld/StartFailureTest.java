package io.alrai.dn.mysqld;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.alrai.dn.mysqld.MysqldException.Reason;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class StartFailureTest {
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          PORT_TAKEN              | Can't start server: Bind on TCP/IP port: Address already in use
          DATA_DIRECTORY_LOCKED   | [InnoDB] Unable to lock ./ibdata1 error: 11
          BAD_OPTION              | unknown variable 'no-such=1'.
          BAD_OPTION              | unknown option '--no-such'.
          DISK_FULL               | Error writing file './binlog.index' (OS errno 28 - No space left on device)
          PERMISSION              | Can't create/write to file 'x' (OS errno 13 - Permission denied)
          DATA_DIRECTORY_UNUSABLE | Data Dictionary initialization failed.
          DATA_DIRECTORY_UNUSABLE | [InnoDB] Cannot boot server version 80406 on data directory built by version 90704. Downgrade is not supported
          START_FAILED            | mysqld got signal 11 ;
          """)
  void whatTheServerSaysIsUnderstood(Reason reason, String line) {
    MysqldException failure =
        StartFailure.of("x", "2026-11-21T00:00:00Z 0 [ERROR] [MY-000000] [Server] " + line);
    assertEquals(reason, failure.reason(), failure.sentence());
    assertTrue(failure.sentence().contains(line), failure.sentence());
  }

  @Test
  void ofALongLogTheErrorsAreShown() {
    String log =
        "[ERROR] the first\n" + "[Note] noise\n".repeat(50) + "[ERROR] Aborting\n[Note] end\n";
    String sentence = StartFailure.of("x", log).sentence();
    assertTrue(sentence.endsWith("[ERROR] the first\n[ERROR] Aborting"), sentence);
    assertFalse(sentence.contains("noise"));
  }

  @Test
  void aServerThatSaysNothingIsSaidToSayNothing() {
    MysqldException failure = StartFailure.of("x", "");
    assertEquals(Reason.START_FAILED, failure.reason());
    assertTrue(failure.sentence().endsWith("said nothing"), failure.sentence());
  }
}
