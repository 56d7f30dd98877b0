package io.alrai.common.certificate;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Text around binary content (RFC 7468). Stateless; any thread.
 *
 * @param label what it says it is, for example {@code CERTIFICATE}
 * @param content its bytes, which are DER
 */
public record Pem(String label, byte[] content) {
  private static final int LINE = 64;
  private static final Pattern BLOCK =
      Pattern.compile("-----BEGIN ([A-Z0-9 ]+)-----(.*?)-----END \\1-----", Pattern.DOTALL);

  /** A header within a block: what openssl encrypted in its old way has some. */
  private static final Pattern HEADER = Pattern.compile("^[A-Za-z-]+: ", Pattern.MULTILINE);

  /**
   * All blocks of a text; what stands between them is passed over.
   *
   * @throws IllegalArgumentException when one of them is not Base64
   */
  public static List<Pem> all(String text) {
    List<Pem> blocks = new ArrayList<>();
    Matcher block = BLOCK.matcher(text);
    while (block.find()) {
      String body = block.group(2);
      if (HEADER.matcher(body).find()) {
        blocks.add(new Pem("ENCRYPTED " + block.group(1), new byte[0]));
      } else {
        byte[] content = Base64.getDecoder().decode(body.replaceAll("\\s", ""));
        blocks.add(new Pem(block.group(1), content));
      }
    }
    return blocks;
  }

  /** As it stands in a file. */
  public String text() {
    byte[] newline = {'\n'};
    return "-----BEGIN "
        + label
        + "-----\n"
        + Base64.getMimeEncoder(LINE, newline).encodeToString(content)
        + "\n-----END "
        + label
        + "-----\n";
  }

  /** The text in ASCII. */
  public byte[] bytes() {
    return text().getBytes(StandardCharsets.US_ASCII);
  }
}
