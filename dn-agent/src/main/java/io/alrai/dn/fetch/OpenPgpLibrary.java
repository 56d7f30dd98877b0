package io.alrai.dn.fetch;

import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.lang.reflect.InvocationTargetException;
import java.net.MalformedURLException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * The library that reads keys and signatures, with a class loader of its own. Wherever it is on a
 * class path, Netty finds it and loads its provider at the first TLS connection: 500 classes out of
 * a signed jar, which no cache of classes keeps. Its jars are named by a system property; where
 * there is none, it is on the class path.
 */
final class OpenPgpLibrary extends URLClassLoader {
  /** The jars, with what stands between the entries of a class path. */
  private static final String JARS = "alrai.openpgp";

  private static final String PACKAGE = "io.alrai.dn.fetch.pgp.";
  private static final String KEYS = PACKAGE + "OpenPgpKeys";

  private OpenPgpLibrary(URL[] jars, ClassLoader parent) {
    super("openpgp", jars, parent);
  }

  /**
   * Public keys, in ASCII armour or not.
   *
   * @throws IOException these are none, or there is no such library
   */
  static SigningKeys read(InputStream in) throws IOException {
    String jars = System.getProperty(JARS, "");
    return read(in, jars.isEmpty() ? List.of() : List.of(jars.split(File.pathSeparator)));
  }

  static SigningKeys read(InputStream in, List<String> jars) throws IOException {
    ClassLoader ours = OpenPgpLibrary.class.getClassLoader();
    try {
      // not closed: keys may load classes as long as they live
      ClassLoader library = jars.isEmpty() ? ours : new OpenPgpLibrary(urls(jars), ours);
      return (SigningKeys)
          library.loadClass(KEYS).getConstructor(InputStream.class).newInstance(in);
    } catch (InvocationTargetException e) {
      if (e.getCause() instanceof IOException unreadable) {
        throw unreadable;
      }
      throw new IOException("keys cannot be read", e.getCause());
    } catch (ReflectiveOperationException | LinkageError e) {
      throw new IOException("there is no library that reads keys in " + jars, e);
    }
  }

  private static URL[] urls(List<String> jars) throws MalformedURLException {
    List<URL> urls = new ArrayList<>();
    for (String jar : jars) {
      urls.add(Path.of(jar).toUri().toURL());
    }
    return urls.toArray(URL[]::new);
  }

  /** The classes that use the library are of this loader, too; all others as ever. */
  @Override
  protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
    if (!name.startsWith(PACKAGE)) {
      return super.loadClass(name, resolve);
    }
    synchronized (getClassLoadingLock(name)) {
      Class<?> loaded = findLoadedClass(name);
      return loaded == null ? define(name) : loaded;
    }
  }

  private Class<?> define(String name) throws ClassNotFoundException {
    try (InputStream in = getParent().getResourceAsStream(name.replace('.', '/') + ".class")) {
      if (in == null) {
        throw new ClassNotFoundException(name);
      }
      byte[] bytes = in.readAllBytes();
      return defineClass(name, bytes, 0, bytes.length);
    } catch (IOException e) {
      throw new ClassNotFoundException(name, e);
    }
  }
}
