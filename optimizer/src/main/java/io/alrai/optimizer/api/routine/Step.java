package io.alrai.optimizer.api.routine;

import io.alrai.optimizer.api.AdminStatement.TableName;
import java.util.List;
import java.util.Optional;

/**
 * A statement of a routine's body (MySQL Reference Manual, "Compound Statement Syntax"). Variables
 * and cursors are numbers, labels are in lower case and empty where there is none.
 */
public sealed interface Step {
  /** Has no statements within, and the one after it follows. */
  sealed interface Simple extends Step {}

  /** SIGNAL, RESIGNAL and GET DIAGNOSTICS, which a client may send by themselves. */
  sealed interface OnConditions extends Step {}

  /** BEGIN .. END. */
  record Block(String label, List<Declaration> declarations, List<Step> steps) implements Step {
    public Block {
      declarations = List.copyOf(declarations);
      steps = List.copyOf(steps);
    }

    /** Its handlers. */
    public List<Declaration.Handler> handlers() {
      return declarations.stream()
          .filter(Declaration.Handler.class::isInstance)
          .map(Declaration.Handler.class::cast)
          .toList();
    }
  }

  /** IF. */
  record If(List<Branch> branches, List<Step> otherwise) implements Step {
    public If {
      branches = List.copyOf(branches);
      otherwise = List.copyOf(otherwise);
    }
  }

  /**
   * CASE.
   *
   * @param operand what the branches' values are compared with; empty where they are conditions
   * @param otherwise empty where there is no ELSE, which is an error when it is needed
   */
  record Case(Optional<Fragment> operand, List<Branch> branches, Optional<List<Step>> otherwise)
      implements Step {
    public Case {
      branches = List.copyOf(branches);
      otherwise = otherwise.map(List::copyOf);
    }
  }

  /** A branch of IF or CASE. */
  record Branch(Fragment condition, List<Step> steps) {
    public Branch {
      steps = List.copyOf(steps);
    }
  }

  /**
   * LOOP, WHILE and REPEAT.
   *
   * @param before the condition of WHILE
   * @param behind the condition of REPEAT, which ends it
   */
  record Loop(String label, Optional<Fragment> before, List<Step> steps, Optional<Fragment> behind)
      implements Step {
    public Loop {
      steps = List.copyOf(steps);
    }
  }

  /** RETURN of a function, whose last parameter gets the value. */
  record Return(Fragment value) implements Step {}

  /** LEAVE. */
  record Leave(String label) implements Step {}

  /** ITERATE. */
  record Iterate(String label) implements Step {}

  /** SET of a variable of the routine. */
  record Assign(int slot, Fragment value) implements Simple {}

  /**
   * Any other statement.
   *
   * @param marked whether its holes can be parameter markers; else they need literals
   */
  record Sql(Fragment text, boolean marked) implements Simple {}

  /** SELECT .. INTO with a variable of the routine. */
  record SelectInto(Fragment query, List<Target> targets) implements Simple {
    public SelectInto {
      targets = List.copyOf(targets);
    }
  }

  /** OPEN. */
  record Open(int cursor) implements Simple {}

  /** FETCH. */
  record Fetch(int cursor, List<Target> targets) implements Simple {
    public Fetch {
      targets = List.copyOf(targets);
    }
  }

  /** CLOSE. */
  record Close(int cursor) implements Simple {}

  /**
   * SIGNAL and RESIGNAL.
   *
   * @param again whether it is RESIGNAL
   * @param state the SQLSTATE; empty for RESIGNAL of what is being handled
   */
  record Signal(boolean again, Optional<String> state, List<Item> items) implements OnConditions {
    public Signal {
      items = List.copyOf(items);
    }

    /** {@code name = value}, the name in upper case. */
    public record Item(String name, Fragment value) {}
  }

  /**
   * GET DIAGNOSTICS.
   *
   * @param condition the number of the condition; empty for the statement as a whole
   */
  record Diagnose(boolean stacked, Optional<Fragment> condition, List<Item> items)
      implements OnConditions, Simple {
    public Diagnose {
      items = List.copyOf(items);
    }

    /** {@code target = name}, the name in upper case. */
    public record Item(Target target, String name) {}
  }

  /** CALL. */
  record Call(TableName name, List<Argument> arguments) implements Simple {
    public Call {
      arguments = List.copyOf(arguments);
    }

    /** An argument, and the variable that it is, if it is one. */
    public record Argument(Fragment value, Optional<Target> target) {}
  }

  /** A variable that gets a value. */
  sealed interface Target {
    /** One of the routine. */
    record Local(int slot) implements Target {}

    /** A user variable: its name in lower case without {@code @}. */
    record User(String name) implements Target {}
  }

  /** DECLARE; named conditions are put in where they are used. */
  sealed interface Declaration {
    /** A variable; without DEFAULT it is NULL. */
    record Variable(int slot, Optional<Fragment> initial) implements Declaration {}

    /** A cursor, closed at first. */
    record Cursor(int number) implements Declaration {}

    /** A handler. */
    record Handler(boolean exits, List<Condition> conditions, Step body) implements Declaration {
      public Handler {
        conditions = List.copyOf(conditions);
      }
    }
  }

  /** What a handler is for. */
  sealed interface Condition {
    /** A MySQL error number. */
    record Number(int errno) implements Condition {}

    /** An SQLSTATE. */
    record State(String state) implements Condition {}

    /** SQLWARNING, NOT FOUND or SQLEXCEPTION. */
    record General(Kind kind) implements Condition {}

    /** Classes of SQLSTATEs. */
    enum Kind {
      SQLWARNING,
      NOT_FOUND,
      SQLEXCEPTION
    }
  }
}
