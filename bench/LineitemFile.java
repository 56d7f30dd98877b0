import io.trino.tpch.LineItem;
import io.trino.tpch.LineItemGenerator;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;

/** Writes TPC-H's lineitem as dbgen does, but for the mark at the end of lines: SCALE FILE. */
public final class LineitemFile {
  private LineitemFile() {}

  public static void main(String[] args) throws IOException {
    try (OutputStream out =
        new BufferedOutputStream(Files.newOutputStream(Path.of(args[1])), 1 << 20)) {
      for (LineItem item : new LineItemGenerator(Double.parseDouble(args[0]), 1, 1)) {
        String line = item.toLine();
        int end = line.endsWith("|") ? line.length() - 1 : line.length();
        out.write(line.substring(0, end).getBytes(StandardCharsets.US_ASCII));
        out.write('\n');
      }
    }
  }
}
