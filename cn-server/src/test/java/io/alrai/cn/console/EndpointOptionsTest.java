package io.alrai.cn.console;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.alrai.cn.config.EndpointChoice;
import io.alrai.cn.health.DrainBounds;
import io.alrai.cn.span.SpanChoice;
import io.alrai.common.error.AlraiException;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;

/** Options of an endpoint, on their way to another process, too. */
class EndpointOptionsTest {
  private static EndpointChoice choice(String... arguments) {
    EndpointOptions options = new EndpointOptions();
    var _ = new CommandLine(options).parseArgs(arguments);
    return options.choice();
  }

  @Test
  void anotherProcessHearsOfAll() {
    EndpointChoice choice =
        choice(
            "--tls=required",
            "--proxy-networks=10.0.0.0/8",
            "--native-passwords",
            "--drain-listen-seconds=3",
            "--drain-seconds=40",
            "--otlp-endpoint=http://collector:4318/v1/traces",
            "--otlp-ratio=0.5");
    assertEquals(new DrainBounds(3, 40), choice.drain());
    assertEquals(new SpanChoice("http://collector:4318/v1/traces", 0.5), choice.spans());
    EndpointChoice told = choice(EndpointOptions.of(choice).toArray(String[]::new));
    assertEquals(choice.drain(), told.drain());
    assertEquals(choice.spans(), told.spans());
    assertEquals(EndpointOptions.of(choice), EndpointOptions.of(told));
  }

  @Test
  void noSpansUnlessItIsSaid() {
    assertEquals(SpanChoice.OFF, choice().spans());
    for (String wrong : new String[] {"--otlp-endpoint=collector:4318", "--otlp-ratio=2"}) {
      AlraiException refused = assertThrows(AlraiException.class, () -> choice(wrong));
      assertTrue(refused.sentence().contains(" wants "), refused.sentence());
    }
  }

  @Test
  void nobodyIsWaitedForUnlessItIsSaid() {
    assertEquals(DrainBounds.NONE, choice().drain());
    for (String wrong : new String[] {"--drain-seconds=-1", "--drain-listen-seconds=-1"}) {
      AlraiException refused = assertThrows(AlraiException.class, () -> choice(wrong));
      assertTrue(refused.sentence().contains("want 0 or more"), refused.sentence());
    }
  }
}
