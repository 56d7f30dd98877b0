package io.alrai.gms.command;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.alrai.gms.api.StoredFunction;
import io.alrai.gms.catalog.Samples;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

class StoredFunctionCodecTest {
  private final GmsCodec codec = new GmsCodec();

  @Test
  void functionsFromBeforeCnsInterpretedSomeAreRead() {
    StoredFunction function = Samples.function("shop", "F");
    String now = new String(codec.encode(function), StandardCharsets.UTF_8);
    String older = now.replace(",\"program\":[]", "");
    assertTrue(older.length() < now.length(), now);
    assertEquals(
        function, codec.decode(older.getBytes(StandardCharsets.UTF_8), StoredFunction.class));
  }
}
