package io.alrai.cn.protocol;

import io.alrai.gms.api.GmsService;
import io.alrai.gms.api.PhysicalNames;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;

/** Names of physical schemas and what stands for them, as bytes. One connection's; one thread. */
public final class SchemaNames {
  private final GmsService gms;
  private final Map<String, byte[]> physical = new HashMap<>();
  private final Map<String, byte[]> logical = new HashMap<>();

  /** Those of a catalog. */
  public SchemaNames(GmsService gms) {
    this.gms = gms;
  }

  /** A physical schema's name. */
  public byte[] physical(String name) {
    return physical.computeIfAbsent(name, SchemaNames::bytes);
  }

  /** What a client reads in its place. */
  public byte[] logical(String name) {
    return logical.computeIfAbsent(name, each -> bytes(logicalText(each)));
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  /** A text with logical names: {@code a17_p00003.t} becomes {@code shop.t}. */
  public String logicalText(String text) {
    return new PhysicalNames(gms.catalog()).inText(text);
  }
}
