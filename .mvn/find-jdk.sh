# Sourced by mvnw and alrai: sets and exports JAVA_HOME to a JDK 25 or newer, or ends with one sentence.
# Looks at ALRAI_JAVA_HOME, JAVA_HOME, the javac on PATH, then the directories in ALRAI_JDK_PLACES, or
# where that is not set the usual places of Linux and macOS.
alrai_jdk_version() { # prints the major version of the JDK in $1, or 0 where there is no compiler
  [ -x "$1/bin/javac" ] || { echo 0; return; }
  version=$(sed -n 's/^JAVA_VERSION="\([0-9]*\).*/\1/p' "$1/release" 2>/dev/null) || version=
  [ -n "$version" ] || version=$("$1/bin/javac" -version 2>&1 | sed -n 's/^javac \([0-9]*\).*/\1/p')
  echo "${version:-0}"
}
alrai_find_jdk() {
  on_path=$(command -v javac 2>/dev/null) && on_path=$(readlink -f "$on_path" 2>/dev/null) && on_path=${on_path%/bin/javac}
  set +f
  if [ -n "${ALRAI_JDK_PLACES+set}" ]; then
    set -- $ALRAI_JDK_PLACES
  else
    set -- /usr/lib/jvm/*25* /usr/lib/jvm/* /opt/*jdk* /opt/java/* /usr/java/* \
      "$HOME"/.sdkman/candidates/java/* "$HOME"/.jdks/* "$HOME"/.local/share/mise/installs/java/* \
      /Library/Java/JavaVirtualMachines/*/Contents/Home
  fi
  for home in "${ALRAI_JAVA_HOME-}" "${JAVA_HOME-}" "${on_path-}" "$@"; do
    [ -n "$home" ] && [ -d "$home" ] || continue
    if [ "$(alrai_jdk_version "$home")" -ge 25 ]; then
      JAVA_HOME=$home
      export JAVA_HOME
      return 0
    fi
  done
  found=$(alrai_jdk_version "${JAVA_HOME:-${on_path:-none}}")
  [ "$found" -gt 0 ] && found="only JDK $found" || found=none
  echo "Alrai needs a JDK 25 or newer and found $found: install one (for example Eclipse Temurin 25) or set ALRAI_JAVA_HOME to it." >&2
  exit 1
}
alrai_find_jdk
