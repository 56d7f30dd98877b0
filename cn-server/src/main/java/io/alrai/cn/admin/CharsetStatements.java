package io.alrai.cn.admin;

import io.alrai.cn.session.Session;
import io.alrai.cn.session.SessionCharset;
import io.alrai.cn.statement.StatementRun;
import io.alrai.cn.system.CnParts;
import io.alrai.common.error.AlraiException;
import io.alrai.common.error.ErrorCode;
import io.alrai.common.type.Collations.Collation;
import io.alrai.optimizer.api.AdminStatement;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** SET NAMES and SET CHARACTER SET. */
final class CharsetStatements {
  /** Statements cannot be in them: their characters have two bytes at least. */
  private static final Set<String> OF_NO_CLIENT = Set.of("ucs2", "utf16", "utf16le", "utf32");

  private final CnParts parts;

  CharsetStatements(CnParts parts) {
    this.parts = parts;
  }

  /** SET NAMES. */
  void setNames(StatementRun run, AdminStatement.SetNames names) {
    SessionCharset.setNames(
        run.session(), parts.settings(), client(names.charset(), names.collation()));
  }

  /** SET CHARACTER SET: client and results; the connection gets the schema's. */
  void setCharacterSet(StatementRun run, AdminStatement.SetCharacterSet names) {
    Session session = run.session();
    Collation client = client(names.charset(), Optional.empty());
    Collation connection =
        parts
            .gms()
            .catalog()
            .schema(session.schema())
            .flatMap(schema -> parts.facts().collations().ofName(schema.collation()))
            .orElseGet(() -> collation("", Optional.empty()));
    SessionCharset.setNames(session, parts.settings(), connection);
    Map<String, String> changes = new HashMap<>();
    changes.put("character_set_client", "'" + client.charset() + "'");
    changes.put("character_set_results", "'" + client.charset() + "'");
    session.variables().settings(parts.settings().with(session.variables().settings(), changes));
    SessionCharset.readAs(session, client.charset());
  }

  private Collation client(String charset, Optional<String> wanted) {
    Collation found = collation(charset, wanted);
    if (OF_NO_CLIENT.contains(found.charset())) {
      throw new AlraiException(
          ErrorCode.ER_WRONG_VALUE_FOR_VAR,
          "Variable 'character_set_client' can't be set to the value of '" + found.charset() + "'");
    }
    return found;
  }

  private Collation collation(String charset, Optional<String> wanted) {
    String name = charset.isEmpty() ? "utf8mb4" : charset;
    Collation byDefault =
        parts
            .facts()
            .collations()
            .defaultOf(name)
            .orElseThrow(() ->
                new AlraiException(
                    ErrorCode.ER_UNKNOWN_CHARACTER_SET, "Unknown character set: '" + name + "'"));
    if (wanted.isEmpty()) {
      return byDefault;
    }
    Collation found =
        parts
            .facts()
            .collations()
            .ofName(wanted.get())
            .orElseThrow(() ->
                new AlraiException(
                    ErrorCode.ER_UNKNOWN_COLLATION, "Unknown collation: '" + wanted.get() + "'"));
    if (!found.charset().equals(byDefault.charset())) {
      throw new AlraiException(
          ErrorCode.ER_COLLATION_CHARSET_MISMATCH,
          "COLLATION '"
              + found.name()
              + "' is not valid for CHARACTER SET '"
              + byDefault.charset()
              + "'");
    }
    return found;
  }
}
