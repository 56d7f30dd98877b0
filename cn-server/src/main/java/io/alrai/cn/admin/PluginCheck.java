package io.alrai.cn.admin;

import io.alrai.cn.protocol.Authentication;
import io.alrai.common.error.AlraiException;
import io.alrai.common.wire.Scramble;
import io.alrai.gms.api.Catalog;
import io.alrai.optimizer.api.DdlStatement;
import io.alrai.optimizer.api.DdlStatement.UserChange;
import io.alrai.optimizer.api.DdlStatement.UserName;
import java.util.List;
import java.util.Optional;

/** Whether passwords are for plugins that are there. Stateless. */
final class PluginCheck {
  private PluginCheck() {}

  /**
   * Checks a statement about accounts.
   *
   * @throws AlraiException 1524 when it sets a password of a plugin that is switched off
   */
  static void check(DdlStatement.OnAccount statement, Catalog catalog, boolean nativePasswords) {
    List<UserChange> users =
        switch (statement) {
          case DdlStatement.CreateUsers create -> create.users();
          case DdlStatement.AlterUsers alter -> alter.users();
          case DdlStatement.CreateRoles _,
              DdlStatement.DropRoles _,
              DdlStatement.GrantRoles _,
              DdlStatement.RevokeRoles _,
              DdlStatement.SetDefaultRoles _,
              DdlStatement.RenameUsers _,
              DdlStatement.DropUsers _,
              DdlStatement.GrantPrivileges _,
              DdlStatement.RevokePrivileges _,
              DdlStatement.RevokeAll _ ->
              List.of();
        };
    for (UserChange user : users) {
      if (!nativePasswords && usesSha1(user, catalog)) {
        throw Authentication.notLoaded(Scramble.NATIVE);
      }
    }
  }

  private static boolean usesSha1(UserChange change, Catalog catalog) {
    return change
        .password()
        .flatMap(password -> password.said().or(() -> plugin(change.name(), catalog)))
        .filter(Scramble.NATIVE::equals)
        .isPresent();
  }

  private static Optional<String> plugin(UserName name, Catalog catalog) {
    return catalog.account(name.user(), name.host()).map(account -> account.credential().plugin());
  }
}
