"""Language models as bots: any server with the common chat-completions interface."""
