package io.alrai.dn.fetch;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.apache.commons.compress.archivers.ar.ArArchiveEntry;
import org.apache.commons.compress.archivers.ar.ArArchiveOutputStream;
import org.apache.commons.compress.archivers.tar.TarArchiveEntry;
import org.apache.commons.compress.archivers.tar.TarArchiveOutputStream;
import org.apache.commons.compress.archivers.tar.TarConstants;
import org.tukaani.xz.LZMA2Options;
import org.tukaani.xz.XZOutputStream;

/** A package made for a test, hostile ones too. */
public final class TestPackage {
  final String name;
  String version = "1";
  String fields = "";
  String member = "data.tar.xz";
  private final List<Entry> entries = new ArrayList<>();

  private record Entry(String name, byte type, int mode, String target, byte[] content) {}

  public TestPackage(String name) {
    this.name = name;
  }

  /** A version other than 1. */
  public TestPackage version(String text) {
    version = text;
    return this;
  }

  /** A line of what the archive says of it, {@code Depends: b} for example. */
  public TestPackage field(String line) {
    fields += line + "\n";
    return this;
  }

  /** The name of the archive member that holds the files, which says how it is compressed. */
  TestPackage member(String named) {
    member = named;
    return this;
  }

  public TestPackage file(String path, int mode, String content) {
    return file(path, mode, content.getBytes(StandardCharsets.UTF_8));
  }

  public TestPackage file(String path, int mode, byte[] content) {
    entries.add(new Entry(path, TarConstants.LF_NORMAL, mode, "", content));
    return this;
  }

  TestPackage directory(String path) {
    return entry(path, TarConstants.LF_DIR, "");
  }

  public TestPackage link(String path, String target) {
    return entry(path, TarConstants.LF_SYMLINK, target);
  }

  TestPackage hardLink(String path, String target) {
    return entry(path, TarConstants.LF_LINK, target);
  }

  TestPackage entry(String path, byte type, String target) {
    entries.add(new Entry(path, type, 0755, target, new byte[0]));
    return this;
  }

  /** The package's file. */
  byte[] bytes() throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (ArArchiveOutputStream out = new ArArchiveOutputStream(bytes)) {
      member(out, "debian-binary", "2.0\n".getBytes(StandardCharsets.US_ASCII));
      member(out, "control.tar", new byte[1024]);
      member(out, member, data());
    }
    return bytes.toByteArray();
  }

  private static void member(ArArchiveOutputStream out, String name, byte[] content)
      throws IOException {
    out.putArchiveEntry(new ArArchiveEntry(name, content.length));
    out.write(content);
    out.closeArchiveEntry();
  }

  private byte[] data() throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (OutputStream compressed =
            member.endsWith(".xz")
                ? new XZOutputStream(bytes, new LZMA2Options(LZMA2Options.PRESET_MIN))
                : bytes;
        TarArchiveOutputStream out = new TarArchiveOutputStream(compressed, "UTF-8")) {
      out.setLongFileMode(TarArchiveOutputStream.LONGFILE_GNU);
      for (Entry entry : entries) {
        TarArchiveEntry header = new TarArchiveEntry(entry.name(), entry.type(), true);
        header.setMode(entry.mode());
        header.setLinkName(entry.target());
        header.setSize(entry.content().length);
        out.putArchiveEntry(header);
        out.write(entry.content());
        out.closeArchiveEntry();
      }
    }
    return bytes.toByteArray();
  }
}
