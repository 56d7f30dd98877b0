package io.alrai.optimizer.parse;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.alrai.common.error.AlraiException;
import io.alrai.common.id.ClientXid;
import io.alrai.optimizer.api.AdminStatement.Xa;
import io.alrai.optimizer.api.AdminStatement.XaOption;
import io.alrai.optimizer.api.AdminStatement.XaRecover;
import io.alrai.optimizer.api.AdminStatement.XaVerb;
import io.alrai.optimizer.api.token.TokenCursor;
import org.junit.jupiter.api.Test;

final class XaParserTest {
  private static final String LONGEST = "x".repeat(64);

  private static Object parse(String sql) {
    return new XaParser(new TokenCursor(sql, false, false)).parse();
  }

  private static void assertParsed(XaVerb verb, ClientXid xid, XaOption option, String sql) {
    assertEquals(new Xa(verb, xid, option), parse(sql), sql);
  }

  private static void assertSyntaxError(String sql, String near) {
    AlraiException error = assertThrows(AlraiException.class, () -> parse(sql), sql);
    assertEquals(1064, error.errno());
    assertTrue(error.sentence().contains("near '" + near + "' at line 1"), error.sentence());
  }

  @Test
  void verbsAndOptions() {
    ClientXid x = new ClientXid(1, "x", "");
    assertParsed(XaVerb.START, x, XaOption.NONE, "XA START 'x'");
    assertParsed(XaVerb.START, x, XaOption.JOIN, "xa begin 'x' join");
    assertParsed(XaVerb.START, x, XaOption.RESUME, "XA START 'x' RESUME");
    assertParsed(XaVerb.END, x, XaOption.NONE, "XA END 'x'");
    assertParsed(XaVerb.END, x, XaOption.SUSPEND, "XA END 'x' SUSPEND");
    assertParsed(XaVerb.END, x, XaOption.SUSPEND, "XA END 'x' SUSPEND FOR MIGRATE");
    assertParsed(XaVerb.PREPARE, x, XaOption.NONE, "XA PREPARE 'x'");
    assertParsed(XaVerb.COMMIT, x, XaOption.NONE, "XA COMMIT 'x'");
    assertParsed(XaVerb.COMMIT, x, XaOption.ONE_PHASE, "XA COMMIT 'x' ONE PHASE");
    assertParsed(XaVerb.ROLLBACK, x, XaOption.NONE, "XA ROLLBACK 'x'");
    assertEquals(new XaRecover(false), parse("XA RECOVER"));
    assertEquals(new XaRecover(true), parse("XA RECOVER CONVERT XID"));
  }

  @Test
  void names() {
    XaVerb verb = XaVerb.PREPARE;
    assertParsed(verb, new ClientXid(1, "a", "b"), XaOption.NONE, "XA PREPARE 'a','b'");
    assertParsed(verb, new ClientXid(7, "a", "b"), XaOption.NONE, "XA PREPARE 'a', 'b', 7");
    assertParsed(verb, new ClientXid(255, "a", ""), XaOption.NONE, "XA PREPARE 'a', '', 0xff");
    assertParsed(verb, new ClientXid(15, "ab", "c"), XaOption.NONE, "XA PREPARE x'6162',0x63,0xf");
    assertParsed(verb, new ClientXid(1, "a", ""), XaOption.NONE, "XA PREPARE b'01100001'");
    assertParsed(verb, new ClientXid(1, "a'\\", ""), XaOption.NONE, "XA PREPARE 'a''\\\\'");
    assertParsed(verb, new ClientXid(1, "\u00c3\u00a9", ""), XaOption.NONE, "XA PREPARE '\u00e9'");
    assertParsed(
        verb,
        new ClientXid(1, LONGEST, LONGEST),
        XaOption.NONE,
        "XA PREPARE '" + LONGEST + "','" + LONGEST + "'");
  }

  @Test
  void mistakes() {
    assertSyntaxError("XA", "");
    assertSyntaxError("XA FOO 'a'", "FOO 'a'");
    assertSyntaxError("XA START", "");
    assertSyntaxError("XA START a", "a");
    assertSyntaxError("XA START 'a' 'b'", "'b'");
    assertSyntaxError("XA START 'a', 'b', -1", "-1");
    assertSyntaxError("XA START 'a', 'b', 'c'", "'c'");
    assertSyntaxError("XA START 'a', 'b', 18446744073709551615", "18446744073709551615");
    assertSyntaxError("XA START 'a',", "");
    assertSyntaxError("XA START 'x" + LONGEST + "'", "");
    assertSyntaxError("XA START 'a' JOIN RESUME", "RESUME");
    assertSyntaxError("XA END 'a' RESUME", "RESUME");
    assertSyntaxError("XA END 'a' SUSPEND FOR", "");
    assertSyntaxError("XA COMMIT 'a' ONE", "");
    assertSyntaxError("XA PREPARE 'a' ONE PHASE", "ONE PHASE");
    assertSyntaxError("XA RECOVER CONVERT", "");
  }
}
